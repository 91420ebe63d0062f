// The tour of the first game.

export const tour = {};
