import { mkdir, writeFile } from 'node:fs/promises'
import { driftOfThisCheckout } from './this-checkout.ts'

const name = process.argv[2]
if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error('Usage: npm run migration -- NAME, in small letters, digits and underscores')
  process.exit(2)
}

const { sql } = await driftOfThisCheckout(console.log)
const stamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
const folder = `migrations/${stamp}_${name}/`
await mkdir(new URL(folder, import.meta.url))
await writeFile(new URL(`${folder}migration.sql`, import.meta.url), sql && `${sql}\n`)

console.log(`Wrote prisma/${folder}migration.sql`)
console.log(
  sql
    ? 'Read it before you commit it: adding a column and filling it are two migrations.'
    : 'It is empty: schema.prisma asks for nothing that the migrations lack. Write what it cannot say.',
)
