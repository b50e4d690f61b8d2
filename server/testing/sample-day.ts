const DAY_MS = 86_400_000

/** The day, in days since 1970, that chooses what the daily suite samples; SAMPLE_DAY in the environment repeats another day's choice. */
export const SAMPLE_DAY = Number(process.env.SAMPLE_DAY ?? Math.floor(Date.now() / DAY_MS))
// The workers of a run that passes midnight keep its day.
process.env.SAMPLE_DAY ??= String(SAMPLE_DAY)

/** Says with which day a failure of this run can be repeated. */
export default function printSampleDay(): void {
  console.log(`Samples of day ${SAMPLE_DAY}; SAMPLE_DAY=${SAMPLE_DAY} repeats them`)
}
