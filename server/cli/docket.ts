import { Command, CommanderError, Option } from 'commander'
import { auditAcceptRestore, auditCheckpoint, auditVerify } from '#server/cli/audit.ts'
import { backupCreate, backupRestore } from '#server/cli/backup.ts'
import type { CommandContext, Outcome } from '#server/cli/command.ts'
import { importFiles } from '#server/cli/import.ts'
import { keyCreate, keyList, keyRevoke } from '#server/cli/key.ts'
import { staffCreate } from '#server/cli/staff.ts'
import { lifetime, tokenCreate, tokenList, tokenRevoke } from '#server/cli/token.ts'
import { forwardWrites } from '#server/core/database/forward-writes.ts'
import { readSettings } from '#server/core/env.ts'
import { DomainError } from '#server/core/errors.ts'
import { type Home, openHome } from '#server/core/home.ts'
import { createLogger } from '#server/core/log.ts'
import { systemContext } from '#server/core/system-context.ts'
import { migrate } from '../../prisma/migrate.ts'

const program = new Command('docket')
  .description('Command line of Docket. Without DATABASE_URL it uses the embedded database and starts it if needed.')
  .exitOverride()

program
  .command('migrate')
  .description('apply database migrations')
  // As before every command.
  .action(() => run(async () => ({ json: { migrated: true }, text: 'The database is up to date.' })))

program
  .command('import')
  .description('import NDJSON or NDJSON.gz files')
  .argument('<file...>')
  .option('--strict', 'import nothing from a file with an invalid line, and exit with 1')
  .action((files: string[], options: { strict?: boolean }) =>
    run((at) => importFiles(at, { files, strict: options.strict === true, isTerminal: isTerminal() })),
  )

program
  .command('backup')
  .description('write the whole database to a new file, while it is in use')
  .argument('<file>')
  .action((file: string) => run((at) => backupCreate(at, { file, isTerminal: isTerminal() }), { migrates: false }))

program
  .command('restore')
  .description('load a file that `docket backup` wrote into an empty database; needs the same secret')
  .argument('<file>')
  .option('--deliver', 'leave webhooks and classifiers on, where the system that was backed up no longer runs')
  .action((file: string, { deliver = false }: { deliver?: boolean }) =>
    run((at) => backupRestore(at, { file, isTerminal: isTerminal(), delivers: deliver }), { migrates: false }),
  )

const staff = program.command('staff').description('staff accounts of the desk')
staff
  .command('create')
  .description('create a staff account')
  .requiredOption('--email <email>', 'email address to sign in with')
  .requiredOption('--name <name>', 'display name')
  .requiredOption(
    '--role <role>',
    'global-admin, super-moderator, moderator, support, community-moderator or channel-moderator',
  )
  .option('--community <community>', 'community that a community role applies to')
  .option('--channel <channel>', 'channel that a channel role applies to')
  .option('--user-id <user>', 'network user of the account (default: a new user)')
  .option('--password <password>', 'password (default: generated and shown once)')
  .action((options) => run((at) => staffCreate(at, options)))

const token = program.command('token').description('access tokens for the REST API')
token
  .command('create')
  .description('create an access token for one user or for the whole network')
  .option('--admin', 'create an admin token for server-to-server calls, network-wide')
  .option('--name <name>', 'what the admin token is for, as the desk lists it')
  .option('--user-id <user>', 'create a token for this user')
  .addOption(
    new Option('--expires <time>', 'lifetime such as 15m, 12h or 365d')
      .argParser(lifetime)
      .default(lifetime('365d'), '365d'),
  )
  .action((options) => run((at) => tokenCreate(at, options)))
token
  .command('list')
  .description('list admin tokens, or the tokens of one user, with their last use')
  .option('--user-id <user>', 'list the tokens of this user')
  .action((options) => run((at) => tokenList(at, options)))
token
  .command('revoke')
  .description('revoke a token; the next request with it is rejected')
  .argument('<id>', 'ID from `docket token list`')
  .action((id: string) => run((at) => tokenRevoke(at, id)))

const key = program.command('key').description('API keys for apps and server keys for backends')
key
  .command('create')
  .description('create an API key')
  .requiredOption('--name <name>', 'name to recognise the key by')
  .option(
    '--allow <list>',
    'comma-separated: sessions, roles, server (a server key can issue a sign-in token for any user; keep it secret)',
    (value: string) => value.split(','),
    ['sessions'],
  )
  .action((options) => run((at) => keyCreate(at, options)))
key
  .command('list')
  .description('list all keys, including revoked ones, with their last use')
  .action(() => run((at) => keyList(at)))
key
  .command('revoke')
  .description('revoke a key and end the sessions it opened; the next request with it is rejected')
  .argument('<id>', 'ID from `docket key list`')
  .action((id: string) => run((at) => keyRevoke(at, id)))

const audit = program.command('audit').description('check and export the audit chain')
audit
  .command('verify')
  .description(
    'check the whole log against its seals, signatures and signed heads; if it was changed, name the first bad row and exit with 1',
  )
  .option('--checkpoint <file>', 'checkpoint exported earlier; detects a truncated or rewritten end of the chain')
  .action((options) => run((at) => auditVerify(at, options)))
audit
  .command('checkpoint')
  .description('print a checkpoint of the chain; store it elsewhere')
  .action(() => run((at) => auditCheckpoint(at)))
audit
  .command('accept-restore')
  .description('continue from a database restored from an older backup; the log records what was lost and why')
  .requiredOption('--reason <reason>', 'reason to record in the log')
  .action((options) => run((at) => auditAcceptRestore(at, options)))

for (const command of leavesOf(program)) command.option('--json', 'print the result as one JSON object')

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode
}

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)
}

function isJson(): boolean {
  return process.argv.includes('--json')
}

function isTerminal(): boolean {
  return process.stderr.isTTY && !isJson()
}

/** Opens the database, migrates it, runs the command, and prints one object or a few words; an error is one line. */
async function run(act: (at: CommandContext) => Promise<Outcome>, { migrates = true } = {}): Promise<void> {
  let home: Home | undefined
  try {
    const settings = readSettings(process.env)
    const log = createLogger('warn')
    const say = (line: string) => process.stderr.write(`${line}\n`)
    home = await openHome(settings, log, say)
    forwardWrites(home.database.pool)
    if (migrates) await home.asOwner((owner) => migrate(owner, say))
    const outcome = await act({
      ctx: systemContext(home, { name: 'command line', log, settings }),
      secret: home.secret,
      auditHeadFile: home.auditHeadFile,
      asOwner: home.asOwner,
    })
    process.stdout.write(`${isJson() ? JSON.stringify(outcome.json) : outcome.text}\n`)
    if (outcome.hasFailed) process.exitCode = 1
  } catch (error) {
    process.stderr.write(`docket: ${messageOf(error)}\n`)
    process.exitCode = 1
  } finally {
    await home?.close()
  }
}

function messageOf(error: unknown): string {
  if (error instanceof DomainError && error.details && 'detail' in error.details && Array.isArray(error.details.detail))
    return error.details.detail.join('; ')
  return error instanceof Error ? error.message : String(error)
}
