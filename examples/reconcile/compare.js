// Comparison of a shop's own records with the service's history and statement. Amounts are integers of 1/10,000.

/** Statuses of the history that mean the same as one of ours. */
const MEANING = { Successful: 'Succesful', Failed: 'Failed', Refund: 'Failed', Pending: 'Taken' }
const UNITS = 10_000

export function unitsOf(amount) {
  return Math.round(Number(amount) * UNITS)
}

/** Returns the newest record of each refid, with the day of its first one. */
export function latestByRefid(records) {
  const latest = new Map()
  for (const record of records) {
    latest.set(record.refid, { ...record, day: latest.get(record.refid)?.day ?? record.day })
  }
  return latest
}

/** Returns the payments that were made on a day. */
export function madeOn(history, date) {
  return history.filter((row) => row.date.startsWith(date))
}

/**
 * Lists the differences of a day. History and statement go on until today: a sale shortly before midnight may be paid on
 * the next day, and money may come back later.
 */
export function compare(date, records, history, entries) {
  const paid = new Map(history.map((row) => [row.refid, row]))
  const ofDay = [...records.values()].filter(({ day = date }) => day === date)
  return [
    ...ofDay.flatMap((record) => compareRecord(record, paid.get(record.refid))),
    ...madeOn(history, date)
      .filter(({ refid }) => !records.has(refid))
      .map(({ refid, status_name: status }) => ({
        refid,
        problem: `is ${status} at the service and not in the records`,
      })),
    ...compareMoney(madeOn(history, date), entries),
  ]
}

function compareRecord({ refid, status, amount }, row) {
  if (row === undefined) {
    // A rejected payment does not exist. A taken one may not have been sent yet: the till goes on with it.
    return status === 'Rejected' || status === 'Taken'
      ? []
      : [{ refid, problem: `is ${status} in the records and unknown to the service` }]
  }
  const found = []
  if (MEANING[row.status_name] !== status) {
    found.push({ refid, problem: `is ${status} in the records and ${row.status_name} at the service` })
  }
  if (amount !== undefined && unitsOf(amount) !== unitsOf(row.amount)) {
    found.push({ refid, problem: `has the amount ${amount} in the records and ${row.amount} at the service` })
  }
  return found
}

/** Compares each payment with the wallet: a failed one came back, any other took its price. */
function compareMoney(history, entries) {
  const moved = new Map()
  for (const { refid, amount } of entries) {
    if (refid !== undefined) moved.set(refid, (moved.get(refid) ?? 0) + unitsOf(amount))
  }
  return history.flatMap(({ refid, price, status_name: status }) => {
    const isBack = status === 'Failed' || status === 'Refund'
    const wanted = isBack ? 0 : -unitsOf(price)
    const found = moved.get(refid) ?? 0
    if (found === wanted) return []
    return [
      {
        refid,
        problem: `is ${status} and moved ${found / UNITS} in the wallet instead of ${wanted / UNITS}`,
      },
    ]
  })
}
