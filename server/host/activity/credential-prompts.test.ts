import { describe, expect, it } from "vitest";
import { asksForSecret, promptWords } from "./credential-prompts.ts";

const asking = [
  "[sudo] password for ada: ",
  "[sudo: authenticate] Password: ",
  "[sudo: authenticate] Password: *****",
  "ada@example.org's password: ",
  "Enter passphrase for key '/home/ada/.ssh/id_ed25519': ",
  "Enter passphrase (empty for no passphrase): ",
  "Enter PIN for ECDSA-SK key /home/ada/.ssh/id_ecdsa_sk: ",
  "(ada@example.org) Verification code: ",
  "doas (ada@host) password: ",
  "Password: ",
  "Password:",
  "Current password: ",
  "Retype new password: ",
  "Enter one-time password: ",
  "Overwrite (y/n)? y, password: ",
  "This operation requires a one-time password.\u00a0Enter OTP: ",
  "Password for ada@EXAMPLE.ORG: ",
  "Enter password: ",
  "Password for user postgres: ",
  "Password for 'https://ada@example.org': ",
  "Enter PEM pass phrase:",
  "BECOME password: ",
  "Token (will be hidden): ",
  "Please enter the passphrase to unlock the disk (luks-1): ",
  "[sudo] Passwort für ada: ",
  "Kennwort: ",
  "Mot de passe\u00a0: ",
  "[sudo] Mot de passe de ada : ",
  "[sudo] contraseña para ada: ",
  "Contrasen\u0303a: ",
  "[sudo] password di ada: ",
  "[sudo] senha para ada: ",
  "Palavra-passe: ",
  "[sudo] wachtwoord voor ada: ",
  "[sudo] hasło użytkownika ada: ",
  "[sudo] пароль для ada: ",
  "Введите пароль: ",
  "[sudo] ada için parola: ",
  "Şifre: ",
  "[sudo] ada のパスワード: ",
  "パスフレーズを入力してください：",
  "[sudo] ada 的密码：",
  "口令：",
  "[sudo] ada 的密碼：",
  "[sudo] ada의 암호: ",
  "비밀번호: ",
];

const notAsking = [
  "",
  "$ ",
  "Username for 'https://example.org': ",
  "Password hint: ",
  "Password length: ",
  "Path of the password file: ",
  "password changed",
  "the password is wrong",
  "Save password? [y/N] ",
  "Save password? [y/N]: ",
  "Change the password for root ? ((Press y|Y for Yes, any other key for No) : ",
  "Remove the token (yes/no)? : ",
  "Passwort ändern? (j/n): ",
  "Token name: ",
  "Secret name [default]: ",
  "API key ID: ",
  "Do you want to change your password? ",
  "Pinning: ",
  "Spinner: ",
  "Compiling: ",
  "Name: ",
  "ada@host:~/passwords$ ",
];

describe("prompts for secrets", () => {
  it.each(asking)("[CR1] %j asks for one", (line) => {
    expect(asksForSecret(line)).toBe(true);
  });

  it.each(notAsking)("[CR1] %j does not", (line) => {
    expect(asksForSecret(line)).toBe(false);
  });

  it("[CR1] every word of every language is found in a prompt of its own", () => {
    for (const { words } of promptWords)
      for (const word of words) expect([word, asksForSecret(`${word}: `)]).toEqual([word, true]);
  });

  it("[CR1] a line as long as a terminal allows is judged at once", () => {
    const line = "password ".repeat(100_000);
    const beganMs = performance.now();
    for (let i = 0; i < 100; i++) asksForSecret(line);
    expect(performance.now() - beganMs).toBeLessThan(1_000);
  });
});
