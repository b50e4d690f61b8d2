import { writeFile } from 'node:fs/promises'
import { CATALOGUE_FILE, driftOfThisCheckout } from './this-checkout.ts'

const drift = await driftOfThisCheckout(console.log)

if (process.argv.includes('--write')) {
  await writeFile(CATALOGUE_FILE, `${drift.catalogue.join('\n')}\n`)
  console.log(`Wrote ${drift.catalogue.length} lines to prisma/catalogue.txt`)
} else if (drift.sql || drift.missing.length > 0 || drift.surplus.length > 0) {
  tell()
  process.exitCode = 1
} else {
  console.log('schema.prisma, the migrations and catalogue.txt agree.')
}

function tell() {
  if (drift.sql) {
    console.log('schema.prisma and the migrations disagree. What is missing (npm run migration -- NAME writes it):\n')
    console.log(drift.sql.replaceAll(/^(?=.)/gm, '  '))
  }
  if (drift.missing.length > 0 || drift.surplus.length > 0) {
    console.log(
      '\nThe migrations and catalogue.txt disagree (npm run drift -- --write accepts what the migrations make):\n',
    )
    for (const line of drift.missing) console.log(`  - ${line}`)
    for (const line of drift.surplus) console.log(`  + ${line}`)
  }
}
