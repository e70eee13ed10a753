// Keeps what V8 knows of the shapes of three kinds of Node's objects, by keeping one of each for good: a tick, a request and a response.
// While a server rests there is none, and a collection of garbage then drops the shape. Ticks made after that are slower until the
// process ends; requests and responses even become dictionaries, if that happens before the first few (seen with Node 24).
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
