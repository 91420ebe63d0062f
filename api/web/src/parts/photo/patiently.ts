import { Refusal } from "../../client";

const [BUSY, AGAIN_MS, MOST_TRIES] = [503, 1500, 20];

// The server helps with a few photos at a time: other requests are repeated.
export async function patiently<T>(request: () => Promise<T>, still: () => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== BUSY || tries >= MOST_TRIES || !still()) throw error;
      await new Promise((done) => window.setTimeout(done, AGAIN_MS));
    }
  }
}
