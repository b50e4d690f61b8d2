import type { SampleRule } from '#server/modules/integrations/imports/load-sample.ts'
import type { Person } from './people.ts'

/** The rules of Harbour Town, all of them live: one holds, one highlights words in the queue. */
export const RULES: SampleRule[] = [
  {
    name: 'Selling to neighbours',
    condition: {
      kind: 'all',
      conditions: [{ kind: 'words', words: ['for sale', 'best price', 'discount'] }, { kind: 'links' }],
    },
    action: { type: 'hold' },
  },
  {
    name: 'Heated words',
    condition: { kind: 'words', words: ['typical', 'shame', 'liar'] },
    action: { type: 'highlight' },
  },
]

interface Written {
  by: Person
  minutesAgo: number
  postId: string
  text: string
}

/** What members wrote while the rules were live. */
export const WRITTEN: Written[] = [
  {
    by: 'oscar-blum',
    minutesAgo: 19,
    postId: 'harbour-town-ferry',
    text: 'Typical. They paint the pier every year and cannot keep one boat running.',
  },
  {
    by: 'best-deals-24',
    minutesAgo: 4,
    postId: 'harbour-town-ferry',
    text: 'Oilskins at the b3st price on the quay: https://best-deals-24.example/oilskins. Typical shops charge double.',
  },
]
