import { createParser } from 'nuqs/server'
import { isZone } from '#components/i18n/zones.ts'

export const parseAsZone = createParser({ parse: (name) => (isZone(name) ? name : null), serialize: String })
