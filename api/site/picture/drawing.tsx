/** @jsxImportSource hono/jsx */
/** @module The picture of a subject that other sites show with a link, as SVG, in the words of its page. */

import { counted } from "../../../config/format/counted.ts";
import { DOLLAR, formatAmount, formatRate } from "../../market/amount.ts";
import type { Market } from "../../market/market.ts";
import type { Originator } from "../../market/originator.ts";
import { type Grade, type Listing, OWED_REPAYMENTS, type OwedRepayment } from "../../market/schema.ts";
import { recordOf } from "../../market/stats.ts";
import type { Registry } from "../../registry/schema.ts";
import type { Brand } from "../brand/brand.ts";
import { coverOf } from "../covers/pictures.ts";
import { overdueRaises, toneOf, worstOverdue } from "../originators/record.ts";
import { businessName, raiseTitle } from "../paths.ts";
import { type Done, doneOf, doneShare, markedState, missingTone, termsLine } from "../standing.ts";
import type { Subject } from "../subject.ts";
import { country, REPAYMENT_WORDS, type Tone, textOf } from "../value.ts";
import { BAND } from "./cover.tsx";
import {
  Bar,
  INK,
  LEFT,
  type Part,
  Pill,
  placeOf,
  RIGHT,
  ROOM,
  sheet,
  Text,
  TONES,
  widthOfPill,
} from "./frame.tsx";
import { firstDrawable, fitted, type Letters, widthOf, wrapped } from "./letters.ts";

type Site = { brand: Brand; publicUrl: string; registry: Registry };

const TITLE: Letters = { weight: "bold", size: 60 };
const LINE: Letters = { weight: "bold", size: 40 };
const NAME: Letters = { weight: "regular", size: 32 };
const AMOUNT: Letters = { weight: "bold", size: 32 };
const NOTE: Letters = { weight: "regular", size: 24 };
const GRADE_TONES: Record<Grade, Tone> = { A: "good", B: "good", C: "warn", D: "warn", E: "bad", NR: "idle" };

/** The SVG. It depends on the shown words and figures alone. */
export function drawingOf(subject: Subject, market: Market, site: Site): string {
  if (subject.kind === "market") return marketPicture(market, site);
  if (subject.kind === "business") return businessPicture(subject.business, site);
  return raisePicture(subject, market, site);
}

function raisePicture(
  { listing, business }: { listing: Listing; business: Originator },
  market: Market,
  site: Site,
): string {
  const { minRaise } = listing;
  const now = market.head.timestamp;
  const done = doneOf(listing);
  const isFunding = done.of === "target";
  const whole = BigInt(done.whole);
  const line = termsLine(listing, now);
  // The two rates of an open auction take more room.
  const letters = widthOf(line, LINE) <= ROOM ? LINE : AMOUNT;
  const names = [raiseTitle(listing), `Raise ${listing.refnum}`, listing.publicId];
  const title = wrapped(firstDrawable(names, TITLE.weight), TITLE, { width: ROOM, lines: 2 });
  return sheet({
    ...site,
    cover: {
      cover: coverOf(site.registry, listing),
      id: listing.publicId,
      accent: site.brand.accent.light.accent,
    },
    state: markedState(listing, business, now),
    children: (
      <>
        <Title lines={title} top={BAND + (title.length > 1 ? 66 : 96)} />
        <Business business={business} />
        <Text x={LEFT} y={390} letters={letters} text={fitted(line, letters, ROOM)} />
        <Bar y={440} height={24} whole={whole} parts={partsOf(done, listing, site.brand)} />
        {isFunding && minRaise !== "0" && <Minimum at={BigInt(minRaise)} whole={whole} />}
        <Text x={LEFT} y={516} letters={AMOUNT} text={amountsOf(done)} />
        <Text
          x={RIGHT}
          y={516}
          letters={AMOUNT}
          anchor="end"
          text={fitted(textOf(doneShare(done)), AMOUNT, 240)}
        />
      </>
    ),
  });
}

/** The bar of progress; an overdue or lost remainder has the colour of that state. */
function partsOf(done: Done, listing: Listing, { accent }: Brand): Part[] {
  const whole = BigInt(done.whole);
  const part = BigInt(done.part) < whole ? BigInt(done.part) : whole;
  if (done.of === "target") return [{ weight: part, fill: accent.light.accentStrong }];
  const missing = done.of === "principal" ? missingTone(listing) : undefined;
  const rest = missing === undefined ? [] : [{ weight: whole - part, fill: TONES[missing].ink }];
  return [{ weight: part, fill: TONES.good.ink }, ...rest];
}

function amountsOf({ part, whole, word }: Done): string {
  const room = ROOM - 260;
  const textWith = (digits: "cents" | "short") =>
    `${formatAmount(part, { unit: null, digits })} of ${formatAmount(whole, { digits })} ${word}`;
  return fitted(
    widthOf(textWith("cents"), AMOUNT) <= room ? textWith("cents") : textWith("short"),
    AMOUNT,
    room,
  );
}

function businessPicture(business: Originator, site: Site): string {
  const { listings, jurisdiction, kybStatus } = business;
  const record = recordOf(business);
  const { lent, repaid, outstanding, byStatus, lostLoans: lost } = record;
  const overdue = overdueRaises(record);
  const title = wrapped(nameOf(business, TITLE), TITLE, { width: ROOM, lines: 2 });
  const identity = kybStatus === "approved" ? "identity verified" : "identity not verified";
  const about = [textOf(country(jurisdiction)), identity];
  const open = byStatus.listed + byStatus.funding;
  const counts = [
    counted(listings.length, "raises"),
    ...(open > 0 ? [`${open} open`] : []),
    ...(overdue > 0 ? [`${overdue} overdue`] : []),
    ...(lost > 0 ? [`${lost} ended with a loss`] : []),
  ];
  const figures = [
    { label: "Lent", amount: lent },
    { label: "Repaid", amount: repaid },
    { label: "Owed", amount: outstanding },
  ];
  const worst = worstOverdue(record);
  return sheet({
    ...site,
    ...(worst === undefined ? {} : { state: { label: REPAYMENT_WORDS[worst], tone: toneOf(record) } }),
    children: (
      <>
        <Title lines={title} />
        <Graded text={about.join(" · ")} grade={business.ratingGrade} />
        <Text x={LEFT} y={384} letters={LINE} text={fitted(counts.join(" · "), LINE, ROOM)} />
        {figures.map(({ label, amount }, at) => (
          <Figure x={LEFT + (ROOM / 3) * at} label={`${label}, ${DOLLAR}`} amount={amount} />
        ))}
      </>
    ),
  });
}

function marketPicture(market: Market, site: Site): string {
  const { stats, listings } = market;
  const open = stats.byStatus.listed + stats.byStatus.funding;
  const headline = open === 0 ? "No raise is open now" : `${counted(open, "raises")} open for funding`;
  const whole = BigInt(stats.outstanding);
  const parts = OWED_REPAYMENTS.map((repayment) => {
    const { amount, shareBps } = stats.outstandingByRepayment[repayment];
    const fill = OWED_FILLS[repayment];
    const text = `${REPAYMENT_WORDS[repayment]} ${formatRate(shareBps ?? 0)}`;
    return { fill, text, weight: BigInt(amount) };
  });
  const line = `${counted(listings.length, "raises")} · ${formatAmount(stats.lent)} lent`;
  return sheet({
    ...site,
    children: (
      <>
        <Title lines={wrapped(headline, TITLE, { width: ROOM, lines: 1 })} />
        <Text
          x={LEFT}
          y={284}
          letters={NAME}
          fill={INK.muted}
          text="Every raise on the marketplace, straight from the blockchain"
        />
        <Text x={LEFT} y={340} letters={NAME} text={fitted(line, NAME, ROOM)} />
        <Text
          x={LEFT}
          y={410}
          letters={LINE}
          text={fitted(`${formatAmount(stats.outstanding)} of principal owed`, LINE, ROOM)}
        />
        <Bar y={436} height={36} whole={whole} parts={parts} />
        <Legend items={parts} />
      </>
    ),
  });
}

const OWED_FILLS: Record<OwedRepayment, string> = {
  current: "#2b7a4b",
  grace: "#d9a441",
  late: "#b8690f",
  default: "#9b1c1c",
};

/** One line is placed lower than two. */
function Title({ lines, top = lines.length > 1 ? 178 : 212 }: { lines: readonly string[]; top?: number }) {
  return (
    <>
      {lines.map((line, at) => (
        <Text x={LEFT} y={top + at * 66} letters={TITLE} text={line} />
      ))}
    </>
  );
}

/** Instead of a name with letters that no font here has: the country. */
function nameOf(business: Originator, { weight }: Letters): string {
  const place = `A business in ${textOf(country(business.jurisdiction))}`;
  return firstDrawable([businessName(business), place], weight);
}

function Business({ business }: { business: Originator }) {
  return <Graded y={330} text={nameOf(business, NAME)} grade={business.ratingGrade} />;
}

function Graded({ text, grade, y = 308 }: { text: string; grade: Grade; y?: number }) {
  const label = grade === "NR" ? "Not rated" : `Grade ${grade}`;
  const nameAt = LEFT + widthOfPill(label) + 20;
  return (
    <>
      <Text x={nameAt} y={y} letters={NAME} text={fitted(text, NAME, RIGHT - nameAt)} fill={INK.muted} />
      <Pill x={LEFT} y={y - 2} text={label} tone={GRADE_TONES[grade]} />
    </>
  );
}

function Minimum({ at, whole }: { at: bigint; whole: bigint }) {
  const x = placeOf(at, whole);
  const text = `Minimum ${formatAmount(at, { unit: null })}`;
  const half = widthOf(text, NOTE) / 2;
  return (
    <g>
      <rect x={x - 2} y={434} width={4} height={36} fill={INK.text} />
      <Text
        x={Math.min(Math.max(x, LEFT + half), RIGHT - half)}
        y={426}
        letters={NOTE}
        fill={INK.muted}
        anchor="middle"
        text={text}
      />
    </g>
  );
}

/** An amount below its name; shortened when it does not fit. */
function Figure({ x, label, amount }: { x: number; label: string; amount: string }) {
  const room = ROOM / 3 - 24;
  const whole = formatAmount(amount, { unit: null });
  const text = widthOf(whole, LINE) <= room ? whole : formatAmount(amount, { unit: null, digits: "short" });
  return (
    <g>
      <Text x={x} y={456} letters={NOTE} fill={INK.muted} text={label} />
      <Text x={x} y={508} letters={LINE} text={fitted(text, LINE, room)} />
    </g>
  );
}

function Legend({ items }: { items: readonly { fill: string; text: string }[] }) {
  return (
    <>
      {items.map(({ fill, text }, at) => {
        const x = LEFT + (ROOM / items.length) * at;
        return (
          <g>
            <rect x={x} y={500} width={20} height={20} rx={4} fill={fill} />
            <Text x={x + 30} y={519} letters={NOTE} text={fitted(text, NOTE, ROOM / items.length - 40)} />
          </g>
        );
      })}
    </>
  );
}
