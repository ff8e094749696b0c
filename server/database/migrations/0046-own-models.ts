/** The language model that a user has entered for themselves. */
export const ownModels = `
CREATE TABLE own_models (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  base_url text NOT NULL,
  model text NOT NULL,
  api_key_box text,                     -- sealed for this user and this address; null: the server asks for none
  saved_at timestamptz NOT NULL
);
`
