/**
 * Several endpoints, of which one is behind or on another fork. Ponder mostly asks the quickest one, takes null for the answer of
 * all, and would index blocks of both forks in turn, or stand still. So it follows one endpoint, and another one only once that has a
 * newer head or fails. One question for the head in ten goes to another endpoint.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { refusalKindOf } from "../../chain/refusals.ts";
import type { PonderApp, PonderBucket, PonderRpc } from "./ponder.ts";

/** Milliseconds for an endpoint that is asked in place of another one. */
const PATIENCE = 2_000;
/** Questions for the head, of which one goes to another endpoint. */
const PERIOD = 10;

type Asked = Parameters<NonNullable<PonderRpc["ask"]>>[0];
type Answer = { answer: unknown; bucket: PonderBucket };
type Body = Asked["body"];
type Head = { number: number; hash?: string; parentHash?: string };

export function followOneFork({ indexingBuild }: Pick<PonderApp, "indexingBuild">): void {
  for (const [index, rpc] of indexingBuild.rpcs.entries()) {
    const urls = [indexingBuild.chains[index]?.rpc ?? []].flat();
    if (new Set(urls).size < 2) continue;
    /** the URL of the endpoint that is followed; undefined before the first head and after a failure */
    let leader: string | undefined;
    let last: Head = { number: -1 };
    let polls = 0;
    const urlOf = (bucket: PonderBucket) => urls[bucket.index];
    const isLeading = (bucket: PonderBucket) => urlOf(bucket) === leader;

    /** One of each other URL, the one that is followed first. */
    const othersOf = ({ bucket, buckets }: Asked) => {
      const others = buckets.filter((other) => other.isActive && urlOf(other) !== urlOf(bucket));
      const byUrl = new Map(others.map((other) => [urlOf(other), other]));
      return [...byUrl.values()].sort((a, b) => Number(isLeading(b)) - Number(isLeading(a)));
    };

    const askForHead = async (asked: Asked): Promise<Answer> => {
      const { body, bucket } = asked;
      let newest: Answer = { answer: await bucket.request(body), bucket };
      const { number, hash, parentHash } = headIn(newest.answer);
      const isNext = hash === last.hash || parentHash === last.hash;
      const isTrusted = isNext || leader === undefined || isLeading(bucket);
      for (const other of isTrusted && number >= last.number ? [] : othersOf(asked)) {
        const answer = await answerOf(other, body);
        const ahead = headIn(answer).number - headIn(newest.answer).number;
        if (ahead > 0 || (ahead === 0 && isLeading(other))) newest = { answer, bucket: other };
        if (headIn(newest.answer).number >= last.number) break;
      }
      [leader, last] = [urlOf(newest.bucket), headIn(newest.answer)];
      return newest;
    };

    const askForBlock = async (asked: Asked): Promise<Answer> => {
      const { body, bucket } = asked;
      const own = bucket.request(body);
      const isMissing = await own.then((block) => block === null, isRefusal);
      for (const other of isMissing ? othersOf(asked) : []) {
        const answer = await answerOf(other, body);
        if (answer === null) continue;
        leader ??= urlOf(other);
        void own.catch((error) => rpc.refused?.({ error, bucket }));
        return { answer, bucket: other };
      }
      return { answer: await own, bucket };
    };

    rpc.choice = (body, buckets) => {
      const isOther = isHead(body) && ++polls % PERIOD === 0;
      if (leader === undefined || !(isHead(body) || isOfBlock(body))) return buckets;
      const chosen = buckets.filter((bucket) => bucket.isActive && isLeading(bucket) !== isOther);
      return chosen.length > 0 ? chosen : buckets;
    };
    rpc.ask = async (asked) => {
      const { body, bucket } = asked;
      try {
        if (isHead(body)) return await askForHead(asked);
        if (isOfBlock(body) && body.method !== "eth_getBlockByNumber") return await askForBlock(asked);
        return { answer: await bucket.request(body), bucket };
      } catch (error) {
        if (isLeading(bucket)) leader = undefined;
        throw error;
      }
    };
  }
}

/** Null where it fails, and for an answer that does not come in time. */
function answerOf(bucket: PonderBucket, body: Body): Promise<unknown> {
  const answer = bucket.request(body).catch(() => null);
  return Promise.race([answer, sleep(PATIENCE, null, { ref: false })]);
}

function isHead({ method, params: [block, isWhole] }: Body): boolean {
  return method === "eth_getBlockByNumber" && block === "latest" && isWhole === true;
}

function isOfBlock({ method, params: [block] }: Body): boolean {
  if (method === "eth_getLogs") return (block as { blockHash?: string }).blockHash !== undefined;
  return method.startsWith("eth_getBlockBy") && String(block).startsWith("0x");
}

/** The number is -1 without a block. */
function headIn(answer: unknown): Head {
  const { number = -1, hash, parentHash } = (answer ?? {}) as Partial<Record<keyof Head, string>>;
  return { number: Number(number), hash, parentHash };
}

/** Whether an endpoint has answered with an error that another one need not give: not for its rate, and not for being away. */
function isRefusal(error: { code?: unknown }): boolean {
  return typeof error.code === "number" && refusalKindOf(error) !== "rate";
}
