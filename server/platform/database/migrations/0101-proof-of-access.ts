/** Who may have set an account up, and who guesses at its codes. */
export const proofOfAccess = `
-- Since when somebody who was signed in, or who set a new password by email, has shown that they read this address. Null also
-- where it is only confirmed: the one who followed the link may have nothing to do with the account.
ALTER TABLE users ADD COLUMN email_proved_at timestamptz;
-- Nobody knows how these were confirmed, and no password by email may remove their second step all at once.
UPDATE users SET email_proved_at = email_confirmed_at WHERE email_confirmed_at IS NOT NULL;

-- Of the wrong tries, those from where the account is known; wrong_tries has all the others.
ALTER TABLE password_resets ADD COLUMN known_wrong_tries int NOT NULL DEFAULT 0;
`
