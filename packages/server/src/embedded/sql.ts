export const ROLE = 'warung'
export const DATABASE = 'warung'
/** Database that every cluster has. */
export const MAINTENANCE_DATABASE = 'postgres'

export function createDatabaseSql(name: string): string {
  return `create database ${name}`
}

/** Asks every other client's session to end; returns a row for each that has not ended yet. */
export const endOtherSessionsSql = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where backend_type = 'client backend' and pid <> pg_backend_pid()`

/** Builds the statement for a server in single-user mode, which takes no parameters. */
export function setPasswordSql(password: string): string {
  return `alter role ${ROLE} password '${password}'`
}
