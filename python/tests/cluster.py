"""Searches on a cluster of Spark whose workers and executors are killed: `cluster.py GAMES FOLDER`.

A master and two workers are started on this machine, with signal 9 as the enemy. One of the workers is
in a network of its own where that is permitted, whose cable can be cut; elsewhere it is stopped instead.
Whatever dies and when, the rows are those of one machine, each once.
"""

import collections
import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

import babson
import object_storage
import pyspark
import sql_page
from babson import spark as cluster
from pyspark.sql import SparkSession

#: Ports that must be free.
PORT, PAGE = 17077, 18081

QUERY = "check btm"
COLUMNS = ["game", "white", "date", "ply", "tags", "comments"]
SHARDS = 32
#: Number of times that the games of the examples are repeated.
TIMES = 400


def log(text):
    print(f"[{time.monotonic() - BEGIN:5.0f} s] {text}", flush=True)


BEGIN = time.monotonic()


def spark_class(name, *arguments, prefix=(), **environment):
    """Starts a program of Spark."""
    program = pathlib.Path(pyspark.__file__).parent / "bin" / "spark-class"
    command = [*prefix, str(program), name, *arguments]
    env = {**os.environ, "SPARK_DAEMON_MEMORY": "256m", **environment}
    with open("spark.log", "ab") as out:
        return subprocess.Popen(command, env=env, stdout=out, stderr=out)


class Network:
    """A network with two ends: this machine, and a namespace connected to it by one virtual cable."""

    NAME, CABLE, FAR_END = "babson-cluster", "babson0", "babson1"
    HERE, THERE = "10.213.7.1", "10.213.7.2"

    def __init__(self):
        self.is_there = True
        for command in [
            f"netns add {self.NAME}",
            f"link add {self.CABLE} type veth peer name {self.FAR_END} netns {self.NAME}",
            f"addr add {self.HERE}/30 dev {self.CABLE}",
            f"link set {self.CABLE} up",
            f"-n {self.NAME} addr add {self.THERE}/30 dev {self.FAR_END}",
            f"-n {self.NAME} link set {self.FAR_END} up",
            f"-n {self.NAME} link set lo up",
        ]:
            self.is_there = self.is_there and self.ip(command)
        if not self.is_there:
            self.remove()
            log("a network cannot be made here: a worker is stopped in place of cutting it")

    def ip(self, command):
        if not shutil.which("ip"):
            return False
        return subprocess.run(["ip", *command.split()], capture_output=True).returncode == 0

    def host(self):
        """Returns the address of this machine as the workers reach it."""
        return self.HERE if self.is_there else "127.0.0.1"

    def cut(self):
        self.ip(f"-n {self.NAME} link set {self.FAR_END} down")

    def remove(self):
        self.ip(f"netns del {self.NAME}")
        self.ip(f"link del {self.CABLE}")


class Worker:
    """A machine of the cluster; `kill` switches it off."""

    def __init__(self, number, folder, network):
        self.number, self.folder, self.network = number, folder, network
        self.is_far = network.is_there and number == 0
        self.start()

    def start(self):
        host = self.network.THERE if self.is_far else self.network.host()
        self.process = spark_class(
            "org.apache.spark.deploy.worker.Worker",
            *["--host", host, "--cores", "1", "--memory", "700m"],
            *["--webui-port", str(PAGE + 1 + self.number)],
            *["-d", str(self.folder), f"spark://{self.network.host()}:{PORT}"],
            prefix=["ip", "netns", "exec", self.network.NAME] if self.is_far else [],
            SPARK_LOCAL_IP=host,
            SPARK_LOCAL_DIRS=str(self.folder),
        )

    def executors(self):
        """Returns the processes of the executors, which are children of the worker."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            with contextlib.suppress(OSError, ValueError):
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
                line = (entry / "cmdline").read_bytes()
                if int(stat[1]) == self.process.pid and b"CoarseGrainedExecutorBackend" in line:
                    found.append(int(entry.name))
        return found

    def kill_executors(self):
        for process in self.executors():
            os.kill(process, signal.SIGKILL)
        log(f"killed the executor of worker {self.number}")

    def kill(self):
        executors = self.executors()
        for process in [self.process.pid, *executors]:
            os.kill(process, signal.SIGKILL)
        self.process.wait()
        log(f"killed worker {self.number} and its executor")


    def vanish(self):
        """Cuts the worker off, which goes on unaware of that."""
        if self.is_far:
            self.network.cut()
            log(f"cut the cable of worker {self.number}")
            return
        for process in [*self.executors(), self.process.pid]:
            os.kill(process, signal.SIGSTOP)
        log(f"stopped worker {self.number} and its executor")


def session(host):
    builder = SparkSession.builder.master(f"spark://{host}:{PORT}").appName("babson")
    settings = {
        "spark.driver.host": host,
        "spark.driver.bindAddress": host,
        "spark.ui.enabled": "false",
        "spark.executor.memory": "512m",
        "spark.driver.memory": "512m",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.adaptive.enabled": "false",
        # A worker with a full disk must not receive every task again.
        "spark.excludeOnFailure.enabled": "true",
        "spark.excludeOnFailure.killExcludedExecutors": "true",
        # A worker without a heartbeat counts as lost, and others repeat its unfinished tasks.
        "spark.executor.heartbeatInterval": "5s",
        "spark.network.timeout": "45s",
        "spark.network.timeoutInterval": "5s",
        # A slow machine must not make the job fail.
        "spark.task.maxFailures": "20",
        "spark.speculation": "true",
        "spark.executorEnv.AWS_ENDPOINT_URL": object_storage.url(host),
    }
    settings |= {f"spark.executorEnv.{name}": value for name, value in object_storage.ENVIRONMENT.items()}
    for name, value in settings.items():
        builder = builder.config(name, value)
    found = builder.getOrCreate()
    found.sparkContext.setLogLevel("ERROR")
    return found


def wait_for(what, condition, seconds=300):
    """Waits until a condition holds, and exits after `seconds`."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"waited in vain for {what}")
        time.sleep(0.05)


def done(spark):
    """Returns the number of finished tasks for each active stage."""
    tracker = spark.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
    return {stage.stageId: stage.numCompletedTasks for stage in stages if stage}


def slowly(batches):
    """Slows batches down, so that there is time to kill something."""
    for batch in batches:
        time.sleep(0.1)
        yield batch


def key(row):
    """Returns a row of Spark or Arrow in a form that can be compared."""
    values = [row["game"], row["white"], str(row["date"]), row["ply"]]
    return (*values, tuple(sorted(dict(row["tags"]).items())), tuple(row["comments"] or ()))


def rounded(rows):
    """Returns rows of any engine with all numbers as rounded floats."""

    def plain(value):
        try:
            return round(float(value), 6)
        except (TypeError, ValueError):
            return value

    return [tuple(map(plain, row)) for row in rows]


class Cluster:
    """The tests, which run one after the other."""

    def __init__(self, games, folder, network):
        self.folder, self.network = folder, network
        self.games = folder / "games.pgn"
        self.games.write_bytes(pathlib.Path(games).read_bytes() * TIMES)
        self.shards = babson.shards(self.games, SHARDS)
        found = babson.search(self.games, QUERY, columns=COLUMNS).to_arrow().to_pylist()
        self.expected = collections.Counter(map(key, found))
        self.groups = babson.count(self.games, QUERY, by=["white", "date"])
        n = sum(shard.games for shard in self.shards)
        log(f"{n} games in {len(self.shards)} shards, {len(found)} rows by one machine")
        self.workers = [Worker(number, folder / f"worker{number}", network) for number in (0, 1)]
        self.spark = None

    def begin(self):
        self.spark = session(self.network.host())
        log("the cluster is there")

    def check(self, what, rows):
        got = collections.Counter(key(row.asDict()) for row in rows)
        if got != self.expected:
            lost, more = self.expected - got, got - self.expected
            raise SystemExit(f"{what}: {lost.total()} rows lost, {more.total()} too many")
        log(f"{what}: the same rows")

    def rows(self):
        return cluster.search(self.spark, self.shards, QUERY, columns=COLUMNS)

    def disturbed(self, run, when, kill):
        """Returns the result of `run` while `kill` is called once `when` holds."""
        failed = []

        def disturb():
            try:
                wait_for("the moment to kill", when)
                kill()
            except BaseException as error:  # noqa: BLE001
                failed.append(error)

        thread = threading.Thread(target=disturb)
        thread.start()
        result = run()
        thread.join()
        if failed:
            raise SystemExit(f"nothing was killed: {failed}")
        return result

    def undisturbed(self):
        self.check("undisturbed", self.rows().collect())

    def while_mapping(self):
        rows = self.rows().mapInArrow(slowly, self.rows().schema)
        found = self.disturbed(
            rows.collect,
            lambda: any(n >= 4 for n in done(self.spark).values()),
            self.workers[0].kill,
        )
        self.check("a worker killed while it maps", found)
        self.workers[0].start()
        self.wait_for_executors()

    def after_a_stage(self):
        counted = cluster.count(self.spark, self.shards, QUERY, by=["white", "date"])
        counted = counted.mapInArrow(slowly, counted.schema)
        first = []

        def is_reducing():
            stages = done(self.spark)
            first.extend(stages)
            return any(stage > min(first) for stage in stages)

        found = self.disturbed(counted.collect, is_reducing, self.workers[1].kill_executors)
        got = sorted(tuple(map(str, row)) for row in found)
        expected = sorted(tuple(map(str, group.values())) for group in self.groups)
        if got != expected:
            raise SystemExit("the groups differ")
        log("an executor killed after a stage: the same groups")
        self.wait_for_executors()

    def while_reading(self):
        found = []
        for row in self.rows().toLocalIterator(prefetchPartitions=True):
            if len(found) == 100:
                self.workers[1].kill_executors()
            found.append(row)
        self.check("an executor killed while rows are read", found)
        self.wait_for_executors()

    def with_a_full_disk(self):
        folder = self.workers[0].folder
        command = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
        self.workers[0].kill()
        if not shutil.which("mount") or subprocess.run(command, capture_output=True).returncode:
            log("skipped: a full disk, since nothing can be mounted here")
            self.workers[0].start()
            return
        try:
            self.workers[0].start()
            self.wait_for_executors()
            with contextlib.suppress(OSError), open(folder / "full", "wb") as full:
                while True:
                    full.write(bytes(1 << 16))
                    full.flush()
            found = self.rows().repartition(4, "game").collect()
            self.check("the disk of a worker is full", found)
        finally:
            self.workers[0].kill()
            subprocess.run(["umount", "--lazy", str(folder)], check=False)

    def without_a_network(self):
        """Runs last, since it does not wait until Spark has the worker back."""
        rows = self.rows().mapInArrow(slowly, self.rows().schema)
        found = self.disturbed(
            rows.collect,
            lambda: any(n >= 4 for n in done(self.spark).values()),
            self.workers[0].vanish,
        )
        self.check("a worker that nobody hears of any more", found)

    def in_object_storage(self):
        if not object_storage.is_there():
            log("skipped: object storage, since moto is not installed")
            return
        with object_storage.server(self.network.host()) as client:
            client.create_bucket(Bucket="games")
            client.upload_file(str(self.games), "games", "all/games.pgn")
            shards = babson.shards("s3://games/all/games.pgn", SHARDS)
            found = cluster.search(self.spark, shards, QUERY, columns=COLUMNS).collect()
            self.check("games in object storage", found)

    def archives(self):
        """An archive is searched by its columns, piece by piece."""
        archive = self.folder / "archive" / "games.cqa"
        archive.parent.mkdir()
        babson.index(self.games, archive)
        found = cluster.search(self.spark, archive, QUERY, columns=COLUMNS, pieces=5).collect()
        self.check("an archive", found)

    def rows_of_a_table(self):
        """Games in Parquet, in no defined order, with their tags in columns."""
        import pyarrow
        import pyarrow.parquet

        games = [f"[Event {game}" for game in self.games.read_text().split("[Event ")[1:1001]]
        found = babson.search("\n".join(games).encode(), QUERY, columns=COLUMNS).to_arrow().to_pylist()
        expected = collections.Counter(map(key, found))
        heads = [game.partition("\n\n") for game in games]
        tags = [dict(re.findall(r'\[(\w+) "(.*)"\]', head)) for head, _, _ in heads]
        names = list(dict.fromkeys(name for row in tags for name in row))
        table = {name: [row.get(name) for row in tags] for name in names}
        table["movetext"] = [moves.strip() for _, _, moves in heads]
        table["number"] = list(range(1, len(games) + 1))
        path = self.folder / "rows.parquet"
        pyarrow.parquet.write_table(pyarrow.table(table), path, row_group_size=300)
        frame = self.spark.read.parquet(str(path)).repartition(2)
        found = cluster.search(self.spark, frame, QUERY, columns=COLUMNS[1:], keep=["number"]).collect()
        got = collections.Counter(key(row.asDict() | {"game": row.number}) for row in found)
        if got != expected:
            raise SystemExit(f"{(expected - got).total()} rows lost, {(got - expected).total()} too many")
        [total] = cluster.count(self.spark, frame, QUERY).collect()
        assert total.positions == expected.total(), total
        broken = [(n, f'[White "x"]\n\n1. e4 e5 2. {move} *') for n, move in [(1, "Ke4"), (2, "Ke2")]]
        broken = self.spark.createDataFrame(broken, ["number", "pgn"])
        assert {row.number for row in cluster.faults(self.spark, broken, QUERY, keep=["number"]).collect()} == {1}
        for wrong in [{"columns": ["game"]}, {"keep": ["nothing"]}, {"columns": ["ply"], "keep": ["ply"]}]:
            try:
                cluster.search(self.spark, broken, QUERY, **wrong)
            except ValueError:
                continue
            raise SystemExit(f"{wrong} was not refused")
        log("games in the rows of a table: the same rows")

    def questions(self):
        """The queries of the page about SQL have the same answers in Spark and DuckDB."""
        try:
            import duckdb
        except ImportError:
            log("skipped: questions in SQL, since duckdb is not installed")
            return
        here, folder = os.getcwd(), self.folder / "sql"
        folder.mkdir()
        os.chdir(folder)
        try:
            sql_page.write_tables()
            for name in ("games", "endings", "clocks"):
                table = self.spark.read.parquet(str(folder / f"{name}.parquet"))
                table.createOrReplaceTempView(name)
            for question in sql_page.QUESTIONS:
                expected = rounded(duckdb.sql(question).fetchall())
                got = rounded(self.spark.sql(question).collect())
                if got != expected or not got:
                    raise SystemExit(f"{question}\n{got[:5]}\n{expected[:5]}")
        finally:
            os.chdir(here)
        log(f"{len(sql_page.QUESTIONS)} questions in SQL: the same answers")

    def wait_for_executors(self):
        wait_for("executors", lambda: all(worker.executors() for worker in self.workers))

    def faults(self):
        broken = self.games.with_name("broken.pgn")
        broken.write_bytes(self.games.read_bytes()[:20000] + b'\n\n[White "x"]\n\n1. e4 e5 2. Ke4 *\n')
        report = babson.search(broken, QUERY)
        report.to_arrow()
        expected = sorted((fault.game, fault.line, fault.message) for fault in report.report.faults)
        rows = cluster.faults(self.spark, broken, QUERY, pieces=5).collect()
        assert sorted((row.game, row.line, row.message) for row in rows) == expected, rows
        told = cluster.report(self.spark, broken, QUERY, pieces=5).collect()
        assert sum(row.games for row in told) == report.report.games
        assert sum(row.faults for row in told) == len(expected) > 0
        log("faults: the same")

    def data_source(self):
        """The data source has the rows of a search."""
        cluster.register(self.spark)
        reader = self.spark.read.format("cql").option("query", QUERY).option("pieces", 5)
        found = reader.option("columns", ",".join(COLUMNS)).load(str(self.games)).toArrow()
        expected = babson.search(self.games, QUERY, columns=COLUMNS).to_arrow()
        order = [("game", "ascending"), ("ply", "ascending")]
        assert found.sort_by(order).column("ply") == expected.sort_by(order).column("ply")
        assert found.num_rows == expected.num_rows > 0
        log("data source: the same rows")

    def refused(self):
        for query, kind in [("maet", babson.QueryError), ("persistent x+=1", ValueError)]:
            try:
                cluster.search(self.spark, self.shards, query)
            except kind:
                continue
            raise SystemExit(f"{query} was not refused")
        log("what cannot be run is refused before anything is submitted")

    def stop(self):
        if self.spark:
            self.spark.stop()
        for worker in self.workers:
            if worker.process.poll() is None:
                worker.kill()


def main():
    games, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    network = Network()
    host = os.environ["SPARK_LOCAL_IP"] = network.host()
    master = spark_class(
        "org.apache.spark.deploy.master.Master",
        *["--host", host, "--port", str(PORT), "--webui-port", str(PAGE)],
    )
    try:
        test = Cluster(games, folder, network)
        try:
            test.begin()
            test.undisturbed()
            test.refused()
            test.faults()
            test.data_source()
            test.questions()
            test.archives()
            test.rows_of_a_table()
            test.in_object_storage()
            test.while_mapping()
            test.after_a_stage()
            test.while_reading()
            test.with_a_full_disk()
            test.without_a_network()
        finally:
            test.stop()
    finally:
        master.kill()
        master.wait()
        network.remove()
    log("all is well")


if __name__ == "__main__":
    main()
