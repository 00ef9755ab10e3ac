// Prompts for passwords, by real programs and by small ones that do as they do; and what only looks like one.
import { python, type Situation, type Step, sh } from "./situation.ts";

const hidden: Step = { expect: "waiting_input", confidence: "exact", credential: "echo_off" };
const shown: Step = { expect: "waiting_input", confidence: "exact", credential: "prompt" };
const slow = { withinMs: 9_000 } as const;

/** Reads as ssh, sudo and getpass do: the terminal itself, echo off. */
const likeSsh = (prompt: string, rest: string) =>
  python(
    `import os,termios,time
tty=os.open('/dev/tty',os.O_RDWR)
def ask(p):
  a=termios.tcgetattr(tty);b=a[:];b[3]&=~termios.ECHO
  termios.tcsetattr(tty,termios.TCSAFLUSH,b);os.write(tty,p.encode());r=os.read(tty,100)
  termios.tcsetattr(tty,termios.TCSAFLUSH,a);os.write(tty,b'\\n');return r
ask(${JSON.stringify(prompt)})
${rest}`,
  );

/** Asks with echo on, in words. */
const inWords = (language: string, prompt: string): Situation => ({
  name: `a prompt in words: ${language}`,
  command: sh(`printf '%s' '${prompt.replaceAll("'", "'\\''")}'; read x; sleep 1`),
  steps: [shown, { keys: "abc\r", after: "credential", expect: "exited" }],
});

export const secretSituations: readonly Situation[] = [
  {
    name: "read -s in a script",
    command: ["bash", "-c", "read -s -p 'Token: ' x; sleep 2"],
    steps: [hidden, { keys: "hunter2\r", busyMs: 900, after: "credential", expect: "exited" }],
  },
  {
    name: "read -s at a prompt of bash",
    command: ["bash", "--norc", "-i"],
    steps: [
      { expect: "idle" },
      { keys: "read -s x\r" },
      hidden,
      { keys: "hunter2\r", after: "credential", expect: "idle" },
    ],
  },
  {
    name: "read -s of zsh",
    command: ["zsh", "-f", "-c", "read -s 'x?Secret: '; sleep 1"],
    needs: ["zsh"],
    steps: [hidden],
  },
  {
    name: "read -s of fish",
    command: ["fish", "--no-config", "-c", "read -s -P 'Password: ' x; sleep 1"],
    needs: ["fish"],
    steps: [{ expect: "waiting_input", credential: "prompt", ...slow }],
  },
  {
    name: "stty -echo; cat",
    command: sh("stty -echo; cat"),
    steps: [hidden],
  },
  {
    name: "python's getpass",
    command: python("import getpass,time; getpass.getpass(); time.sleep(1)"),
    needs: ["python3"],
    steps: [
      { ...hidden, ...slow },
      { keys: "hunter2\r", busyMs: 800, after: "credential" },
    ],
  },
  {
    name: "getpass inside a REPL",
    command: ["/usr/bin/env", "python3", "-q"],
    needs: ["python3"],
    steps: [
      { expect: "waiting_input", ...slow },
      { keys: "import getpass; p = getpass.getpass()\r" },
      hidden,
      { keys: "hunter2\r", after: "credential", expect: "waiting_input" },
    ],
  },
  {
    name: "a password like ssh asks for",
    command: likeSsh(
      "ada@example.org's password: ",
      "time.sleep(1.5);os.write(tty,b'Welcome\\n');time.sleep(2)",
    ),
    needs: ["python3"],
    steps: [
      { ...hidden, ...slow },
      { keys: "hunter2\r", busyMs: 900, after: "credential" },
    ],
  },
  {
    name: "a wrong password like sudo's: the pause between two tries belongs to it",
    command: likeSsh(
      "[sudo] password for ada: ",
      "time.sleep(2);os.write(tty,b'Sorry, try again.\\n');ask('[sudo] password for ada: ');time.sleep(1)",
    ),
    needs: ["python3"],
    steps: [
      { ...hidden, ...slow },
      { keys: "wrong\r", busyMs: 1_800, after: "credential", credential: "echo_off" },
      hidden,
    ],
  },
  {
    name: "ssh-keygen asks for the passphrase of a key",
    command: sh("ssh-keygen -q -t ed25519 -N secret1 -f key && ssh-keygen -y -f key; sleep 1"),
    needs: ["ssh-keygen"],
    steps: [hidden, { keys: "secret1\r", after: "credential", expect: "exited", withinMs: 8_000 }],
  },
  {
    name: "ssh-keygen asks for a new passphrase, twice",
    command: sh("ssh-keygen -q -t ed25519 -f key; sleep 2"),
    needs: ["ssh-keygen"],
    steps: [hidden, { keys: "secret1\r", after: "credential", credential: "echo_off" }, hidden],
  },
  {
    name: "openssl asks for a password",
    command: ["openssl", "passwd", "-6"],
    needs: ["openssl"],
    steps: [hidden],
  },
  {
    name: "gpg has its agent ask for a passphrase, twice, in our terminal",
    command: sh(
      "export GPG_TTY=$(tty) GNUPGHOME=$PWD/g; mkdir -m 700 g; echo pinentry-program $(command -v pinentry-curses) >g/gpg-agent.conf; gpg -qc file; gpgconf --kill gpg-agent; sleep 1",
    ),
    needs: ["gpg", "gpg-agent", "pinentry-curses"],
    files: { file: "text" },
    steps: [
      { expect: "waiting_input", credential: "echo_off", ...slow },
      { keys: "hunter22\r", after: "credential", credential: "echo_off" },
      { expect: "waiting_input", credential: "echo_off" },
      { keys: "hunter22\r", after: "credential", expect: "exited", ...slow },
    ],
  },
  {
    name: "sudo asks another user, and again after a wrong password",
    command: sh(
      "exec setpriv --reuid=65534 --regid=65534 --clear-groups sudo -k -p '[sudo] password for %p: ' true",
    ),
    needs: ["sudo", "setpriv", "root"],
    steps: [
      { expect: "waiting_input", credential: "echo_off" },
      // How long the pause is, PAM decides.
      {
        keys: "wrong\r",
        after: "credential",
        credential: "any",
        expect: "waiting_input",
        withinMs: 8_000,
      },
    ],
  },
  {
    name: "su asks for root's password",
    command: sh("exec setpriv --reuid=65534 --regid=65534 --clear-groups su root -c true"),
    needs: ["su", "setpriv", "root"],
    steps: [{ expect: "waiting_input", credential: "echo_off" }],
  },
  {
    name: "passwd asks for the present password",
    command: sh("exec setpriv --reuid=65534 --regid=65534 --clear-groups passwd"),
    needs: ["passwd", "setpriv", "root"],
    steps: [{ expect: "waiting_input", credential: "echo_off" }],
  },
  {
    name: "a password shown as asterisks",
    command: python(
      `import sys,termios,tty,time
fd=0;old=termios.tcgetattr(fd);tty.setcbreak(fd)
print('[sudo: authenticate] Password: ',end='',flush=True)
import os
while os.read(0,1) not in b'\\r\\n': os.write(1,b'*')
termios.tcsetattr(fd,termios.TCSADRAIN,old);print();time.sleep(2)`,
    ),
    needs: ["python3"],
    steps: [
      { ...shown, ...slow },
      { keys: "hun", credential: "prompt", after: "credential", expect: "waiting_input" },
      { keys: "ter\r", busyMs: 900, after: "credential" },
    ],
  },
  {
    name: "a one-time code that is shown",
    command: python("input('(ada@example.org) Verification code: ')"),
    needs: ["python3"],
    steps: [{ ...shown, ...slow }],
  },
  {
    name: "git asks for the password of an address",
    command: sh(
      "printf \"Password for 'https://ada@example.org': \"; stty -echo; read x; stty echo; sleep 1",
    ),
    steps: [hidden],
  },
  inWords("German", "[sudo] Passwort für ada: "),
  inWords("French", "Mot de passe : "),
  inWords("Spanish", "[sudo] contraseña para ada: "),
  inWords("Portuguese", "Senha: "),
  inWords("Polish", "[sudo] hasło użytkownika ada: "),
  inWords("Russian", "[sudo] пароль для ada: "),
  inWords("Turkish", "ada için parola: "),
  inWords("Japanese", "ada のパスワード: "),
  inWords("Simplified Chinese", "ada 的密码："),
  inWords("Traditional Chinese", "密碼："),
  inWords("Korean", "암호: "),
  {
    name: "not a prompt: a log line that ends in Password: while it works",
    command: sh("printf 'checking Password: '; sleep 2"),
    steps: [{ busyMs: 1_700 }, { expect: "exited" }],
  },
  {
    name: "not a prompt: a file with Enter passphrase, shown by cat",
    command: ["bash", "--norc", "-i"],
    files: { notes: "Enter passphrase for key: " },
    steps: [{ expect: "idle" }, { keys: "cat notes\r" }, { expect: "idle" }],
  },
  {
    name: "not a prompt: Password: typed at a shell",
    command: ["bash", "--norc", "-i"],
    steps: [{ expect: "idle" }, { keys: "echo Password: " }, { expect: "idle" }],
  },
  {
    name: "not a prompt: Password: typed into cat",
    command: ["cat"],
    steps: [
      { expect: "waiting_input" },
      { keys: "my password: " },
      { expect: "waiting_input", confidence: "exact" },
    ],
  },
  {
    name: "not a prompt: Password: written in vim",
    command: ["vim", "-u", "NONE", "-N", "file"],
    needs: ["vim"],
    steps: [{ expect: "waiting_input" }, { keys: "iPassword: " }, { expect: "waiting_input" }],
  },
];
