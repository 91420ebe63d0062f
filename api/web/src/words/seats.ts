// The seats of a game, and invitations to it.

const KINDS: Record<string, (name: string) => string> = {
  host: () => "Host",
  spectator: () => "Spectator",
  side: (name) => `Side ${name}`,
  command: (name) => (name === "command" ? "Command of all" : `Command ${name}`),
  player: (name) => `Player ${name}`,
};

export const seats = {
  title: "Players",
  back: "Back",
  role: (words: string): string => {
    const [kind = "", ...name] = words.split(" ");
    return KINDS[kind]?.(name.join(" ")) ?? words;
  },
  invite: "Invite",
  inviteHint: "Which roles? Choose several if people share a phone.",
  make: "Make the invitation",
  nobody: "Choose a role first.",
  scan: "Scan with the phone that joins",
  invitedFor: (roles: string) => `Invitation: ${roles}`,
  orCode: "or open the address and type",
  wifi: (name: string) => `First the Wi-Fi: ${name}`,
  qr: "QR code of the invitation",
  wifiQr: (name: string) => `QR code that joins the Wi-Fi network ${name}`,
  until: (when: string, code: string) => `For one device. The code works until ${clock(code)}, the QR code until ${clock(when)}.`,
  joined: (name: string, roles: string) => `${name} joined as ${roles}.`,
  notOpen: "The invitation is no longer open.",
  another: "Invite another",
  done: "Done",
  open: "Open invitations",
  openUntil: (when: string) => `until ${clock(when)}`,
  withdraw: "Withdraw",
  withdrawn: "Withdrawn: its QR code and its code no longer work.",
  you: "You",
  yourRoles: "What you play besides being the host",
  sitting: "At the table",
  none: "No one else has joined yet.",
  rolesOf: (name: string) => `Roles of ${name}`,
  lastRole: "A seat keeps at least one role; take the seat away instead.",
  seen: (ago_s: number, when: string): string => {
    const minutes = Math.floor(ago_s / 60);
    if (minutes < 2) return "here now";
    if (minutes < 90) return `seen ${minutes} minutes ago`;
    return `seen ${new Date(when).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}`;
  },
  again: "Phone lost: invite again",
  againHint: (name: string) => `For ${name}'s new phone; the old one keeps the seat until the new one joins.`,
  revoke: "Take the seat away",
  revokeSure: "Tap again: take it away",
  revoked: (name: string) => `${name} no longer has a seat.`,
  gone: "Seats taken away",
  mine: "Your seat",
  leave: "Leave",
  leaveSure: "Tap again: leave the seat",
  left: "You have left; ask the host for a new invitation to come back.",
  hosts: "The host invites others and gives roles.",
  noSeat: "You have no seat of your own here.",
};

const clock = (when: string): string => new Date(when).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
