// The host's changes to a game from its menu, loaded together: parts of the page that share code make its first load
// larger.

export { OverlaySheet, tapOverlay } from "./Overlay";
export { PrepareSheet } from "./Prepare";
