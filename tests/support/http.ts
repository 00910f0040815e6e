import { request } from "node:http";

export interface Ask {
  port: number;
  method?: string;
  /** Sent as it is, however odd. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** A text or bytes with their length, or chunks without one. */
  body?: string | Uint8Array | readonly Uint8Array[];
}

export interface HttpAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  /** The text as JSON; undefined where it is not. */
  json: unknown;
}

/** One request on a connection of its own, below what `fetch` allows: any host, any path, any body. */
export async function ask({ port, method = "GET", path, headers = {}, body }: Ask): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const length = typeof body === "string" || body instanceof Uint8Array ? Buffer.byteLength(body) : undefined;
  const sent = request({
    host: "127.0.0.1",
    port,
    method,
    path,
    agent: false,
    headers: { ...(length !== undefined && { "content-length": length }), ...headers },
  });
  sent.on("error", reject);
  sent.on("response", (response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (part: string) => (text += part));
    response.on("error", reject);
    response.on("end", () => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) });
      sent.destroy();
    });
  });
  if (body === undefined || length !== undefined) sent.end(body as string | Uint8Array | undefined);
  else for (const chunk of body as readonly Uint8Array[]) sent.write(chunk);
  if (length === undefined && body !== undefined) sent.end();
  return promise;
}

/** A request with a JSON body. */
export function askJson(port: number, method: string, path: string, body?: unknown): Promise<HttpAnswer> {
  if (body === undefined) return ask({ port, method, path });
  return ask({ port, method, path, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
