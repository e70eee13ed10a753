/** @module Requests to PUBLIC_URL, as a client makes them. */

type Asked = { readonly headers?: Record<string, string>; readonly method?: string; readonly body?: string };

/** Asks for a path; redirects are not followed. The body is read already. */
export type Ask = (path: string, asked?: Asked) => Promise<Answer>;

export type Answer = { readonly status: number; readonly headers: Headers; readonly text: string };

/** @param timeout milliseconds for the whole answer */
export function createAsk(publicUrl: string, timeout: number): Ask {
  return async (path, asked = {}) => {
    const signal = AbortSignal.timeout(timeout);
    const response = await fetch(publicUrl + path, { ...asked, redirect: "manual", signal });
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  };
}

/** A code such as ECONNREFUSED, or what the error says. */
export function failureOf(error: unknown): string {
  const { name, cause } = error as Error;
  if (name === "TimeoutError") return "no answer in time";
  const { code, message } = (cause ?? error) as NodeJS.ErrnoException;
  return code || message;
}
