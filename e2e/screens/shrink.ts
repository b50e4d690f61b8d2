import { createRequire } from 'node:module'

interface Picture {
  png(options: { palette: true; colours: number; dither: number }): Picture
  webp(options: { lossless: true; effort: number }): Picture
  toBuffer(): Promise<Buffer>
}

/** Next brings sharp along. */
const sharp: (picture: Buffer) => Picture = createRequire(createRequire(import.meta.url).resolve('next'))('sharp')

const AT_MOST_BYTES = 60_000

/** A screenshot as WebP, in as many colours as fit, so that text stays sharp: a fifth of its size. */
export async function shrink(screenshot: Buffer): Promise<Buffer> {
  for (const colours of [64, 32]) {
    const picture = await inColours(screenshot, colours)
    if (picture.length < AT_MOST_BYTES) return picture
  }
  return inColours(screenshot, 16)
}

async function inColours(screenshot: Buffer, colours: number): Promise<Buffer> {
  const reduced = await sharp(screenshot).png({ palette: true, colours, dither: 0 }).toBuffer()
  return sharp(reduced).webp({ lossless: true, effort: 6 }).toBuffer()
}
