import { expect, test } from 'vitest'
import { meansLater, pauseAskedFor } from './imap-later.ts'

test.each([
  ['UNAVAILABLE', 'User lookup failed'],
  ['OVERQUOTA', 'Account exceeded command or bandwidth limits.'],
  ['LIMIT', 'Rate limit hit'],
  ['INUSE', 'Mailbox is in use'],
  ['SERVERBUG', 'Internal error occurred. Refer to server log for more information.'],
  ['THROTTLED', ''],
  ['overquota', ''],
  [undefined, '[THROTTLED] Please wait'],
  [undefined, 'Too many simultaneous connections. (Failure)'],
  [undefined, 'Account exceeded command or bandwidth limits. (Failure)'],
  [undefined, 'Request is throttled. Suggested Backoff Time: 92415 milliseconds'],
  [undefined, 'Too many requests'],
  [undefined, 'Server busy, please try again later'],
  [undefined, 'Temporary authentication failure'],
  ['ALERT', 'Too many connections from your IP'],
  [undefined, 'Maximum number of connections exceeded: rate limit exceeded'],
  [undefined, 'Mailbox is locked by another session'],
  [undefined, 'Service temporarily unavailable'],
  [undefined, 'Please try again in 5 minutes'],
])('%s %s means later', (code, words) => {
  expect(meansLater(code, words)).toBe(true)
})

test.each([
  ['NONEXISTENT', 'Unknown Mailbox: Kunden'],
  ['NOPERM', 'Permission denied'],
  ['AUTHENTICATIONFAILED', 'Invalid credentials'],
  ['CANNOT', 'Invalid mailbox name'],
  ['CORRUPTION', 'Message is corrupted'],
  ['EXPUNGEISSUED', 'Some messages were already expunged'],
  ['CLIENTBUG', 'Not selected'],
  [undefined, 'Command Argument Error. 11'],
  [undefined, "Mailbox isn't a valid mbox file"],
  [undefined, 'Mailbox is read-only'],
  ['AUTHENTICATIONFAILED', 'Invalid user name or password, please try again later'],
  [undefined, '[AUTHENTICATIONFAILED] Invalid user name or password, please try again'],
  [undefined, 'Invalid user name or password, please try again'],
  ['EXPIRED', 'Your password has expired, try again later'],
  ['NONEXISTENT', 'Unknown Mailbox: Temporary files'],
  [undefined, 'Unknown Mailbox: Temporary files'],
  ['NOPERM', 'Temporary folders cannot be changed'],
  ['TOOBIG', 'Message exceeded maximum size limit'],
  [undefined, 'Message size limit exceeded'],
  [undefined, 'Message exceeded the maximum size limit'],
  [undefined, ''],
])('%s %s is about what was asked', (code, words) => {
  expect(meansLater(code, words)).toBe(false)
})

test('the wait that a server asks for is kept, within a limit', () => {
  expect(pauseAskedFor('Request is throttled. Suggested Backoff Time: 92415 milliseconds')).toBe(92_415)
  expect(pauseAskedFor('Please try again in 5 minutes')).toBe(300_000)
  expect(pauseAskedFor('Retry-After: 20')).toBe(20_000)
  expect(pauseAskedFor('Suggested Backoff Time: 999999999 seconds')).toBe(30 * 60_000)
  expect(pauseAskedFor('Please try again later')).toBeNull()
})
