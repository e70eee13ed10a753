/**
 * Ponder takes the next free port when its own is busy, without saying so, and every published link would be wrong.
 * @module
 */
import { createServer } from "node:net";
import { type Problem, problemWith, type Settings } from "../config/environment.ts";

/** Listens for a moment where the service is going to listen. */
export async function checkPort({
  host,
  port,
}: Pick<Settings, "host" | "port">): Promise<readonly Problem[]> {
  const code = await listenOnce(host, port);
  const place = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  if (code === null) return [];
  if (code === "EADDRINUSE")
    return [
      problemWith(
        "PORT",
        `cannot be used: something listens on ${place} already; stop it, or choose another port`,
      ),
    ];
  if (code === "EACCES")
    return [
      problemWith("PORT", `cannot be used: this account may not listen on ${place}; choose one above 1023`),
    ];
  return [problemWith("HOST", `cannot be listened on: ${place} is no address of this machine (${code})`)];
}

function listenOnce(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown"));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
