import postgres from 'postgres'

const CONNECT_TIMEOUT_S = 2

/** The PostgreSQL that the tests use where it answers: trust, database `test`. */
export const testDatabaseUrl = 'postgres://postgres@127.0.0.1:5432/test'

/**
 * Asks a PostgreSQL one question. Answers `undefined` when it answered, else why not, in words
 * that hold no password.
 */
export async function postgresFault(url: string): Promise<string | undefined> {
  let sql: postgres.Sql | undefined
  try {
    sql = postgres(url, { max: 1, connect_timeout: CONNECT_TIMEOUT_S, onnotice: () => {} })
    await sql`select 1`
    return undefined
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string }
    return code && !message?.includes(code) ? `${message} (${code})` : (message ?? 'it does not answer')
  } finally {
    await sql?.end({ timeout: 1 })
  }
}

/** Names a database without its user and password. */
export function databaseName(url: string): string {
  if (!URL.canParse(url)) return 'DATABASE_URL'
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}:${port || '5432'}${pathname}`
}
