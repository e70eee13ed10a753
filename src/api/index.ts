export { default } from "../../api/index.ts";
