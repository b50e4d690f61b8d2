import type { Report } from '../reports/results.ts'
import type { Section } from '../reports/section.ts'
import { ofFloor, sectionTable } from '../reports/section-report.ts'

export const REST = 'rest, imported data'

/** A section, and the least of the floor's throughput that it must reach. */
export interface RestSection extends Section {
  leastOfFloor: number
}

/** The figures, checked against their limits. */
export function reportOf(sections: RestSection[]): Report {
  const table = sectionTable('Endpoints', sections)
  return {
    scenario: REST,
    limits: sections.map((section) => ofFloor(section, section.leastOfFloor)),
    tables: [
      {
        ...table,
        note:
          'Both files of imported data; the caller moderates the community and the channel. Each ban is of another member, in a ' +
          `transaction; the sequencer of Docket puts in order what all write. ${table.note}`,
      },
    ],
  }
}
