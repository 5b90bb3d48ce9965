// The DynamoDB API in memory on 127.0.0.1, for as long as the process that started this one lives.
// Says on its first line of output `listening <port>` or `failed <code>`.
const dynalite = require("dynalite");

// A pipe ends however its other end dies, kill -9 included, so nothing is left behind.
process.stdin.on("end", () => process.exit(0));
process.stdin.on("error", () => process.exit(0));
process.stdin.resume();

// Ctrl-C reaches the whole process group; the parent still needs its tables while it winds up.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {});
}

const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
server.on("error", (error) => {
  console.log(`failed ${error.code}`);
  process.exit(1);
});
server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => {
  console.log(`listening ${server.address().port}`);
});
