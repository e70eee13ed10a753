/** @module Which statuses a path may answer with: those that the served description names for it. */
import type { ReadAnswer } from "../validate.ts";
import { fail } from "./judge.ts";
import type { HostileCase } from "./request.ts";

type Server = { url: string };
type Operation = { servers?: Server[]; responses: Record<string, unknown> };
type Path = { servers?: Server[]; get?: Operation; post?: Operation };
type Description = { servers: Server[]; paths: Record<string, Path> };

/** Throws when the status of an answer is not described for the path and the method of the request. */
export type JudgeStatus = (one: HostileCase, answer: ReadAnswer) => void;

/** @param document the parsed body of `/openapi.json` */
export function createStatusJudge(document: unknown): JudgeStatus {
  const { servers, paths } = document as Description;
  const described = Object.entries(paths).flatMap(([path, item]) => {
    const own = item.get?.servers ?? item.post?.servers ?? item.servers ?? servers;
    return own.map(({ url }) => ({ pattern: patternOf(new URL(url).pathname, path), item }));
  });
  return ({ path, method }, answer) => {
    const name = method.toUpperCase();
    const { pathname } = new URL(`http://raises.example${path}`);
    const item = described.find(({ pattern }) => pattern.test(pathname))?.item;
    const operation =
      name === "POST" ? item?.post : name === "GET" || name === "HEAD" ? item?.get : undefined;
    // Any path answers to a method that it does not have, and to what a browser asks before it asks.
    if (operation === undefined || answer.status === 405 || answer.status === 204) return;
    if (operation.responses[answer.status] === undefined)
      fail(answer, `an undescribed status at ${pathname}`);
  };
}

function patternOf(base: string, path: string): RegExp {
  const template = `${base.replace(/\/$/, "")}${path}`;
  const literal = template.replace(/[.*+?^$()|[\]\\]/g, (character) => `\\${character}`);
  return new RegExp(`^${literal.replace(/\{\w+\}/g, "[^/]+")}$`);
}
