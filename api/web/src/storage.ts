// What the browser keeps for this page, read with care: an older page may have written it, or it may be broken.

export function storedJson<T>(key: string): T | null {
  try {
    return JSON.parse(window.localStorage.getItem(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}
