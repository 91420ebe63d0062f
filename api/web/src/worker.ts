// The page's own files, cached for when the server can't be reached: then the page still opens, says so, and waits.
// Nothing under /api is cached. Browsers allow this for a server that they trust: by HTTPS, or on the same machine.

declare const FILES: string[]; // all files of the page, as the build found them
declare const VERSION: string; // of their contents

interface Waiting extends Event {
  waitUntil(job: Promise<unknown>): void;
}
interface Fetching extends Waiting {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

const scope = self as unknown as { skipWaiting(): Promise<void>; clients: { claim(): Promise<void> }; location: Location };
const KEPT = `tabletop-${VERSION}`;
const PATIENCE_MS = 3000;

self.addEventListener("install", (event) => {
  const fill = async (): Promise<void> => {
    await (await caches.open(KEPT)).addAll(["/", ...FILES]);
    await scope.skipWaiting();
  };
  (event as Waiting).waitUntil(fill());
});

self.addEventListener("activate", (event) => {
  const tidy = async (): Promise<void> => {
    const old = (await caches.keys()).filter((name) => name.startsWith("tabletop-") && name !== KEPT);
    await Promise.all(old.map((name) => caches.delete(name)));
    await scope.clients.claim();
  };
  (event as Waiting).waitUntil(tidy());
});

// From the server or, where that takes too long or fails, from the cache.
async function fetched(request: Request, kept: string): Promise<Response> {
  const late = new Promise<null>((done) => setTimeout(() => done(null), PATIENCE_MS));
  const asked = fetch(request);
  const first = await Promise.race([asked.catch(() => null), late]);
  return first ?? (await caches.match(kept)) ?? asked;
}

self.addEventListener("fetch", (event) => {
  const { request } = event as Fetching;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== scope.location.origin || pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") (event as Fetching).respondWith(fetched(request, "/"));
  else if (FILES.includes(pathname)) (event as Fetching).respondWith(fetched(request, pathname));
});
