// Forms of words that several parts need.

export const counted = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
