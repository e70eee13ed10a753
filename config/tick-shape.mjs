// Keeps `process.nextTick` fast in a process that sometimes rests: one of Node's tick objects stays alive for good. An answer takes
// five of them; while a server rests there is none, and a collection of garbage then drops what V8 has learned of their shape, after
// which each takes about a microsecond more until the process ends (seen with Node 24).
import { createHook } from "node:async_hooks";

export let kept = null;

const hook = createHook({
  init(_id, type, _trigger, resource) {
    if (type === "TickObject") kept ??= resource;
  },
});
hook.enable();
process.nextTick(() => {});
hook.disable();
