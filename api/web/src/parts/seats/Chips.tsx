// Roles to choose by tap, several at once.

import type { JSX } from "preact";
import type { RoleOut } from "../../schema";

interface ChipsProps {
  name: string;
  roles: RoleOut[];
  chosen: string[];
  test: string;
  choose: (next: string[]) => void;
}

export const Chips = ({ name, roles, chosen, test, choose }: ChipsProps): JSX.Element => (
  <div class="chips" role="group" aria-label={name}>
    {roles.map(({ role, title }) => {
      const on = chosen.includes(role);
      return (
        <button
          key={role}
          class="chip"
          type="button"
          aria-pressed={on}
          data-test={`${test}-${role.replace(" ", "-")}`}
          onClick={() => choose(on ? chosen.filter((one) => one !== role) : [...chosen, role])}
        >
          {title}
        </button>
      );
    })}
  </div>
);
