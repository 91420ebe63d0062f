// Gestures on a whole photo, loaded together: parts of the page that share code make its first load larger.

export { DrawTerrain } from "./DrawTerrain";
export { NameCorners } from "./NameCorners";
export { Camera } from "./Camera";
