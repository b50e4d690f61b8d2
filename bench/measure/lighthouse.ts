import lighthouse, { desktopConfig } from 'lighthouse'

export interface Scores {
  performance: number
  accessibility: number
}

interface AuditedPage {
  url: string
  /** Of the session, as `name=value`; empty without one. */
  cookie: string
  device: 'desktop' | 'mobile'
}

/** A page's scores of 100 by Lighthouse, in a browser that listens for it on this port. */
export async function scoresOf({ url, cookie, device }: AuditedPage, port: number): Promise<Scores> {
  const result = await lighthouse(
    url,
    {
      port,
      logLevel: 'silent',
      onlyCategories: ['performance', 'accessibility'],
      ...(cookie !== '' && { extraHeaders: { cookie } }),
    },
    device === 'desktop' ? desktopConfig : undefined,
  )
  const { performance, accessibility } = result?.lhr.categories ?? {}
  return { performance: toScore(performance?.score), accessibility: toScore(accessibility?.score) }
}

const toScore = (share: number | null | undefined) => Math.round((share ?? 0) * 100)
