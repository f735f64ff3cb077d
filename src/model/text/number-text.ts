/** Numbers for people, as every station and every report writes them. */

/** `0.75×`; three decimals below a tenth, where two would say little. */
export function speedupText(speedup: number): string {
  return `${speedup.toFixed(speedup < 0.1 ? 3 : 2)}×`;
}

/** As coarse as sessions are planned: 4.2 min, 45 min, 2 h 05 min. */
export function minutesText(minutes: number): string {
  if (minutes < 9.95) return `${minutes.toFixed(1)} min`;
  const whole = Math.round(minutes);
  if (whole < 60) return `${whole} min`;
  return `${Math.floor(whole / 60)} h ${String(whole % 60).padStart(2, '0')} min`;
}

/** `+3.1`, `−0.42`; what is nothing once it is written has no sign. */
export function signed(value: number, sizeText: (size: number) => string): string {
  const text = sizeText(Math.abs(value));
  if (Number(text) === 0) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}

const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/** Before a unit: `33.6 M`, `4.92 T`, and `12 ` where it needs no prefix. */
export function scaled(value: number, digits = 3): string {
  const step = value < 1000 ? 0 : Math.min(PREFIXES.length - 1, Math.floor(Math.log10(value) / 3));
  return `${Number((value / 1000 ** step).toPrecision(digits))} ${PREFIXES[step]!}`;
}

/** A whole number with its thousands apart: `10,000`. The locale's own formatter takes 30 ms for the first one. */
export function withThousands(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/gu, ',');
}
