import type { Program } from '../programs/programs.ts'

/** A figure of /metrics. */
export async function metricOf({ origin }: Program, name: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

/** In mebibytes: what the process takes of the machine, or another of its figures. */
export async function memoryOf(program: Program, name = 'process_resident_memory_bytes'): Promise<number> {
  return (await metricOf(program, name)) / 2 ** 20
}
