export { default } from "../../api/ponder.ts";
