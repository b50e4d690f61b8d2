import { createRequire } from 'node:module'

interface Picture {
  png(options: { palette: true; colours: number; dither: number }): Picture
  webp(options: { lossless: true; effort: number }): Picture
  toBuffer(): Promise<Buffer>
}

/** Next brings sharp along. */
const sharp: (picture: Buffer) => Picture = createRequire(createRequire(import.meta.url).resolve('next'))('sharp')

/** A screenshot in 16 colours, as WebP: a fifth of its size, and text stays sharp. */
export async function shrink(screenshot: Buffer): Promise<Buffer> {
  const inFewColours = await sharp(screenshot).png({ palette: true, colours: 16, dither: 0 }).toBuffer()
  return sharp(inFewColours).webp({ lossless: true, effort: 6 }).toBuffer()
}
