// Keeps `process.nextTick` fast in a process that sometimes rests: one of Node's tick objects stays alive for good. While a server
// rests there is none, and a collection of garbage then drops what V8 has learned of their shape: each is slower until the process
// ends (seen with Node 24; `npm run bench -- million` measures after a rest).
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
