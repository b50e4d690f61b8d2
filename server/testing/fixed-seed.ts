import fc from 'fast-check'
import { SEED } from '#server/testing/random.ts'

fc.configureGlobal({ seed: SEED })
