// Prompts that ask for a secret, by language: data, to be extended. They are looked for on the cursor's line only (CR1).

export interface PromptWords {
  readonly language: string;
  /** Whatever of these stands in a prompt makes it one for a secret. Matched without regard to case. */
  readonly words: readonly string[];
}

export const promptWords: readonly PromptWords[] = [
  {
    // sudo, su, ssh, passwd, doas, kinit, psql, mysql, git, npm, gpg and pinentry-tty, cryptsetup, openssl, ansible, vault, docker
    language: "en",
    words: [
      "password",
      "passphrase",
      "pass phrase",
      "passcode",
      "passwd",
      "pin",
      "puk",
      "otp",
      "totp",
      "one-time code",
      "one time code",
      "one-time pad",
      "verification code",
      "authentication code",
      "authenticator code",
      "security code",
      "recovery code",
      "2fa code",
      "two-factor code",
      "two factor code",
      "mfa code",
      "access token",
      "api token",
      "auth token",
      "personal token",
      "token",
      "api key",
      "secret key",
      "secret access key",
      "secret",
      "unlock key",
    ],
  },
  {
    language: "de",
    words: ["passwort", "kennwort", "passphrase", "geheimzahl", "einmalcode", "bestätigungscode"],
  },
  {
    language: "fr",
    words: ["mot de passe", "phrase secrète", "phrase de passe", "code de vérification"],
  },
  {
    language: "es",
    words: ["contraseña", "frase de paso", "frase contraseña", "clave", "código de verificación"],
  },
  { language: "it", words: ["password", "parola d'ordine", "frase segreta", "codice di verifica"] },
  { language: "pt", words: ["senha", "palavra-passe", "frase secreta", "código de verificação"] },
  {
    language: "nl",
    words: ["wachtwoord", "wachtwoordzin", "wachtzin", "pincode", "verificatiecode"],
  },
  { language: "pl", words: ["hasło", "hasła", "hasło klucza", "kod weryfikacyjny"] },
  {
    language: "ru",
    words: [
      "пароль",
      "пароля",
      "парольная фраза",
      "парольную фразу",
      "пин-код",
      "код подтверждения",
    ],
  },
  {
    language: "tr",
    words: ["parola", "parolası", "parolanız", "şifre", "şifresi", "doğrulama kodu"],
  },
  {
    language: "ja",
    words: ["パスワード", "パスフレーズ", "暗証番号", "ワンタイムパスワード", "確認コード"],
  },
  { language: "zh-CN", words: ["密码", "口令", "密码短语", "验证码"] },
  { language: "zh-TW", words: ["密碼", "密碼片語", "通行碼", "驗證碼"] },
  { language: "ko", words: ["암호", "비밀번호", "패스프레이즈", "인증 코드", "인증번호"] },
];

/** A line with one of these speaks about secrets and asks for something else. */
const otherWords =
  /\b(hint|length|file|filename|path|policy|manager|username|user name|login|expir\w*|number of|ticket|bucket)\b(?!.*['"@])/i;

/** Whether there shall be one: `Save password? [y/N]: `, `Change the password? (Press y|Y for Yes) : `. */
const choice =
  /[[(][^[\]()]*\b(?:y(?:es)?|j|o|s)\s?[/|,]\s?(?:no?|y)\b[^[\]()]*[\])]+\s*\??\s*[:：>]?\s*$/i;

/** What it is called: `Token name: `. */
const label =
  /\b(?:password|passphrase|token|secret|key) (?:name|id|label|description|type)\s*(?:[[(][^[\]()]*[\])]\s*)?[:：>]\s*$/i;

const asian = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const letters = "\\p{L}\\p{N}_";
const allWords = promptWords
  .flatMap(({ words }) => words)
  // Where words are not set apart by spaces their neighbours say nothing.
  .map((word) =>
    asian.test(word) ? escaped(word) : `(?<![${letters}])${escaped(word)}(?![${letters}])`,
  )
  .join("|");

/** A prompt ends in a colon, or in a bracket or arrow that says the same, then at most what stands for typed characters. */
const secretPrompt = new RegExp(`(?:${allWords})[^\\n]{0,120}?[:：>]\\s*[*•●∗]*\\s*$`, "iu");

/** What a longer line ends with cannot be a prompt's own text. */
const maxLineChars = 400;

/** `line`: the text left of the cursor. */
export function asksForSecret(line: string): boolean {
  const shown = line.slice(-maxLineChars).normalize("NFC");
  const isOther = otherWords.test(shown) || choice.test(shown) || label.test(shown);
  return secretPrompt.test(shown) && !isOther;
}
