/** Words for people about when: "tried on 3 Nov". */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `3 Nov`, and the year where it is another one than now's. What is not a date is shown as it is. */
export function dayText(date: string, now?: Date): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/u.exec(date) ?? [];
  const name = MONTHS[Number(month) - 1];
  if (name === undefined) return date;
  const isThisYear = now !== undefined && Number(year) === now.getUTCFullYear();
  return `${Number(day)} ${name}${isThisYear ? '' : ` ${year}`}`;
}

/** Ends a sentence once. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/u.test(trimmed) ? trimmed : `${trimmed}.`;
}
