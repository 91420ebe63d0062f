// Joining: by the QR code of an invitation or by its short code.

export const join = {
  title: "Take a seat",
  invited: "You are invited. Your name, as the others will see it:",
  name: "Your name",
  join: "Join",
  joining: "Joining…",
  skip: "Not now",
  noName: "Enter your name first: the host sees it in the list of players.",
  byCode: "Join by a code",
  otherGame: "Join another game by its code",
  scan: "Scan the QR code on the host's screen",
  scanHint: "Open this phone's camera and point it at the code. It takes you to your seat.",
  orCode: "Or enter the 6-character code beside it",
  code: "Code",
  codeHint: "Six letters and digits; small or capital, with or without a space.",
  short: (have: number) => `Enter the 6-character code: ${have} so far.`,
};
