// The browser's storage for this page, read defensively: an older page may have written it, or it may be damaged.

export function storedJson<T>(key: string): T | null {
  try {
    return JSON.parse(window.localStorage.getItem(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}
