// The tour of the first game, and what is offered while units are being placed.

export const tour = {
  entry: "First game: a tour of one turn",
  hint: "Two units a side, both on this phone, a few minutes",
  title: "First game: a tour",
  beginning: "Beginning…",
  label: "Tour of the first game",
  step: (step: number, of: number) => `${step} of ${of}`,
  skip: "Skip this step",
  end: "End the tour",
  finish: "Finish the tour",
  cards: {
    whose: { title: "Which side acts", says: "The sheet’s top line says it. Tap Begin, then End the step: no one here has mortars." },
    pick: { title: "Units that glow can act", says: "Tap Blue’s infantry, B1, on the map or in the list." },
    roll: { title: "Move it", says: "Tap Move. Dice say how far: tap what yours show, or have them rolled." },
    place: { title: "Put it down", says: "Tap where it goes, or drag it: green is legal. Then tap Confirm position." },
    fire: { title: "Fire", says: "Tap Blue’s tanks, B2, then the red tanks with the tick. You see the odds first; then roll." },
    end: { title: "Go on", says: "No unit is left to act. Close the unit and tap End the step." },
    undo: { title: "Take it back", says: "Tap Undo, below. Moves without dice are free to take back; dice are the referee’s." },
    photo: { title: "With models on a table", says: "Move them there and tap Photo: it is read, and the moves are proposed. Tap it to look." },
    done: { title: "That was a turn", says: "Red is next, on this phone too. The rules in short and the legend are under More." },
  },
  placed: "Placed them on the table?",
  takePhoto: "Take a photo",
};
