// Keeps one tick, one request and one response of Node's for good, so that V8 does not forget their shapes. An idle server has none of them
// in memory, and V8 drops a shape without an object when it collects garbage. Ticks are then slower until the process ends. If it happens
// between the first few requests, all later requests and responses are dictionaries, and an answer takes half as long again (seen with Node
// 24; `npm run bench -- million`).
import { createHook } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";

export const kept = { tick: null, request: null, response: null };

const hook = createHook({
  init(_id, type, _trigger, resource) {
    if (type === "TickObject") kept.tick ??= resource;
  },
});
hook.enable();
process.nextTick(() => {});
hook.disable();

const REQUEST = "http.server.request.start";
subscribe(REQUEST, function keep({ request, response }) {
  kept.request = request;
  kept.response = response;
  unsubscribe(REQUEST, keep);
});
