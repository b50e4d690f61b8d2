/** A number of iterations, times STRESS_SCALE: once in the daily suite, several times over in `npm run test:stress`. */
export function scaled(rounds: number): number {
  return Math.max(1, Math.round(rounds * Number(process.env.STRESS_SCALE ?? 1)))
}
