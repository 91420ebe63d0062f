// The server's addresses as functions. Every refusal becomes a Refusal with the server's own sentence.

import type { JobOut, NamedWish, Violation } from "./schema";
import { text } from "./words/shared";

// A problem document (RFC 9457): its type, all faults of a form, everything that speaks against an action.
export interface Problem {
  type?: string;
  title?: string;
  detail?: string;
  seq?: number;
  faults?: { where: string; what: string }[];
  violations?: Violation[];
}

export class Refusal extends Error {
  constructor(
    readonly title: string,
    sentence: string,
    readonly status: number,
    readonly problem: Problem = {},
  ) {
    super(sentence);
  }

  get type(): string {
    return this.problem.type ?? "";
  }
}

export const API = "/api/v1"; // the prefix of the server's addresses

export const REACHED = "tabletop-reached"; // dispatched to the window when the server is reachable again

// Whether the server, or the network, was unavailable: then the same request may succeed later.
export const isLost = (error: unknown): boolean => error instanceof Refusal && (error.status === 0 || error.status >= 502);

const refusal = (status: number, body: string): Refusal => {
  try {
    const problem = JSON.parse(body) as Problem;
    return new Refusal(problem.title ?? text.failed, problem.detail ?? text.failed, status, problem);
  } catch {
    return new Refusal(text.failed, body.slice(0, 200) || text.offline, status);
  }
};

export async function answered(method: string, path: string, body?: unknown): Promise<Response> {
  const init: RequestInit = { method };
  if (body instanceof FormData) init.body = body;
  else if (body !== undefined) {
    init.headers = { "Content-Type": "application/json" };
    init.body = JSON.stringify(body);
  }
  let answer: Response;
  try {
    answer = await fetch(`${API}${path}`, init);
  } catch {
    throw new Refusal(text.failed, text.offline, 0);
  }
  if (!answer.ok) throw refusal(answer.status, await answer.text());
  return answer;
}

export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await answered(method, path, body);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

// XMLHttpRequest, since fetch does not report the progress of an upload.
function send<T>(path: string, form: FormData, sent: (part: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${API}${path}`);
    request.upload.onprogress = (event) => event.lengthComputable && sent(event.loaded / event.total);
    request.onerror = () => reject(new Refusal(text.failed, text.offline, 0));
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(JSON.parse(request.responseText) as T);
      else reject(refusal(request.status, request.responseText));
    };
    request.send(form);
  });
}

export const client = {
  photo: (table: string, file: File, sent: (part: number) => void, named?: NamedWish) => {
    const form = new FormData();
    form.append("photo", file, file.name);
    if (named) form.append("named", JSON.stringify(named));
    return send<JobOut>(`/tables/${encodeURIComponent(table)}/photos`, form, sent);
  },
  job: (job: string) => ask<JobOut>("GET", `/jobs/${encodeURIComponent(job)}`),
};

// An id of this device for a command that may have to be repeated.
export const newId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

const LONG_ENOUGH_MS = 60_000;

// Saves a file in the device's downloads.
export function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), LONG_ENOUGH_MS);
}
