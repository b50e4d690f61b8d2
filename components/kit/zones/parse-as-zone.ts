import { isZone } from '#components/i18n/zones.ts'
import { createParser } from '#components/ui/search-params/parsers.ts'

export const parseAsZone = createParser({ parse: (name) => (isZone(name) ? name : null), serialize: String })

/** The zone that a link asks for. */
export const ZONE_SEARCH = { timeZone: parseAsZone }
