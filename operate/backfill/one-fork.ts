/**
 * Several endpoints, of which one is behind or on another fork. Ponder mostly asks the quickest one, takes null for the answer of
 * all, and would index blocks of both forks in turn, or stand still. So a head older than the last one is compared with those of the
 * other endpoints, blocks are asked for where the newest head is from, and elsewhere if they are not there.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { refusalKindOf } from "../../chain/refusals.ts";
import type { PonderApp, PonderBucket, PonderRpc } from "./ponder.ts";

/** Milliseconds for an endpoint that is asked in place of another one. */
const PATIENCE = 2_000;

type Asked = Parameters<NonNullable<PonderRpc["ask"]>>[0];
type Answer = { answer: unknown; bucket: PonderBucket };
type Body = Asked["body"];

export function followOneFork({ indexingBuild }: Pick<PonderApp, "indexingBuild">): void {
  for (const rpc of indexingBuild.rpcs) {
    /** the endpoint of the last head, and the number of that head */
    let leader: PonderBucket | null = null;
    let last = -1;
    const askForHead = async ({ body, bucket, buckets }: Asked): Promise<Answer> => {
      let newest: Answer = { answer: await bucket.request(body), bucket };
      for (const other of numberOf(newest.answer) < last ? buckets : []) {
        if (other === bucket || !other.isActive) continue;
        const answer = await inTime(other.request(body)).catch(() => null);
        if (numberOf(answer) > numberOf(newest.answer)) newest = { answer, bucket: other };
      }
      [leader, last] = [newest.bucket, numberOf(newest.answer)];
      return newest;
    };

    rpc.ask = async (asked) => {
      const { body, bucket, buckets } = asked;
      if (isHead(body)) return askForHead(asked);
      if (!isOfBlock(body)) return { answer: await bucket.request(body), bucket };
      const first = leader?.isActive ? leader : bucket;
      let own: Promise<unknown> = Promise.resolve(null);
      for (const one of new Set([first, bucket, ...buckets.filter(({ isActive }) => isActive)])) {
        const answer = one === bucket ? one.request(body) : inTime(one.request(body));
        if (one === bucket) own = answer;
        const isMissing = (error: object) => one !== bucket || isRefusal(error);
        if (!(await answer.then((block) => block === null, isMissing)))
          return { answer: await answer, bucket: one };
      }
      return { answer: await own, bucket };
    };
  }
}

/** Null for an answer that does not come in time. */
function inTime(answer: Promise<unknown>): Promise<unknown> {
  return Promise.race([answer, sleep(PATIENCE, null, { ref: false })]);
}

function isHead({ method, params: [block, isWhole] }: Body): boolean {
  return method === "eth_getBlockByNumber" && block === "latest" && isWhole === true;
}

function isOfBlock({ method, params: [block] }: Body): boolean {
  if (method === "eth_getLogs") return (block as { blockHash?: string }).blockHash !== undefined;
  return method.startsWith("eth_getBlockBy") && String(block).startsWith("0x");
}

/** -1 without a block. */
function numberOf(block: unknown): number {
  return Number((block as { number?: string } | null)?.number ?? -1);
}

/** Whether an endpoint has answered with an error that another one need not give: not for its rate, and not for being away. */
function isRefusal(error: { code?: unknown }): boolean {
  return typeof error.code === "number" && refusalKindOf(error) !== "rate";
}
